-- The sqlite3 command line with json_each; :folder is the folder of the dumps, the working directory is that of this file.
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
BEGIN;
.read tables.sql
INSERT INTO "User"("userID", "name", "email")
    SELECT value ->> 'user_id', value ->> 'name', value ->> 'email' FROM json_each(readfile(:folder || '/users.json'));
CREATE UNIQUE INDEX "_mappingkit_identity_User" ON "User"("userID");
INSERT INTO "Project"("projectID", "name", "ownerID", "owner")
    SELECT value ->> 'project_id', value ->> 'name', value ->> 'owner_id',
        (SELECT "_id" FROM "User" WHERE "userID" = value ->> 'owner_id')
    FROM json_each(readfile(:folder || '/projects.json'));
CREATE UNIQUE INDEX "_mappingkit_identity_Project" ON "Project"("projectID");
INSERT INTO "Task"("taskID", "name", "projectID", "assignedUserID", "createdAt", "tags", "done", "cost", "project",
    "assignedUser")
    SELECT value ->> 'task_id', value ->> 'name', value ->> '$.project.id', value ->> 'assigned_user_id',
        replace(value ->> 'created_at', 'Z', '.000Z'), value -> 'tags', value ->> 'done', value ->> 'cost',
        (SELECT "_id" FROM "Project" WHERE "projectID" = value ->> '$.project.id'),
        (SELECT "_id" FROM "User" WHERE "userID" = value ->> 'assigned_user_id')
    FROM json_each(readfile(:folder || '/tasks.json'));
.read indexes.sql
COMMIT;
