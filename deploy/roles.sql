-- Run once as a superuser, or as the administrator of a managed service: psql --set owner_password=… --set app_password=… --file deploy/roles.sql
-- The owner migrates, and creates the database in which restoring a backup is rehearsed. The program's role is neither owner nor superuser, so that row-level security applies to it.
create role tapeline_owner login createdb nosuperuser nobypassrls password :'owner_password';
create role tapeline_app login nosuperuser nobypassrls password :'app_password';
-- A managed service has no superuser: whoever creates a database for another role must be its member.
grant tapeline_owner to current_user;
create database tapeline owner tapeline_owner;
-- Other roles of the server do not connect, although PostgreSQL lets everyone by default.
revoke connect on database tapeline from public;
grant connect on database tapeline to tapeline_app;
