-- Run once as a superuser, or as the administrator of a managed service: psql --set owner_password=… --set app_password=… --file deploy/roles.sql
-- The owner migrates. The program's role is neither owner nor superuser, so that row-level security applies to it.
create role tapeline_owner login nosuperuser nobypassrls password :'owner_password';
create role tapeline_app login nosuperuser nobypassrls password :'app_password';
-- A managed service has no superuser: whoever creates a database for another role must be its member.
grant tapeline_owner to current_user;
create database tapeline owner tapeline_owner;
