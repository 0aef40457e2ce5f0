CREATE UNIQUE INDEX IF NOT EXISTS "_mappingkit_identity_User" ON "User"("userID");
CREATE UNIQUE INDEX IF NOT EXISTS "_mappingkit_identity_Project" ON "Project"("projectID");
CREATE UNIQUE INDEX IF NOT EXISTS "_mappingkit_identity_Task" ON "Task"("taskID");
CREATE INDEX "_mappingkit_index_Project.owner" ON "Project"("owner");
CREATE INDEX "_mappingkit_index_Task.project" ON "Task"("project");
CREATE INDEX "_mappingkit_index_Task.assignedUser" ON "Task"("assignedUser");
