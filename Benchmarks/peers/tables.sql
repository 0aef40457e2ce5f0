CREATE TABLE "User"("_id" INTEGER PRIMARY KEY, "userID" INTEGER, "name" TEXT, "email" TEXT);
CREATE TABLE "Project"("_id" INTEGER PRIMARY KEY, "projectID" INTEGER, "name" TEXT, "ownerID" INTEGER, "owner" INTEGER REFERENCES "User"("_id"));
CREATE TABLE "Task"("_id" INTEGER PRIMARY KEY, "taskID" INTEGER, "name" TEXT, "projectID" INTEGER, "assignedUserID" INTEGER, "createdAt" TEXT, "tags" TEXT, "done" INTEGER, "cost" REAL, "project" INTEGER REFERENCES "Project"("_id"), "assignedUser" INTEGER REFERENCES "User"("_id"));
