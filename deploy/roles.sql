-- Run once as a superuser: psql --set owner_password=… --set app_password=… --file deploy/roles.sql
-- The owner migrates. The program's role is neither owner nor superuser, so that row-level security applies to it.
create role tapeline_owner login nosuperuser nobypassrls password :'owner_password';
create role tapeline_app login nosuperuser nobypassrls password :'app_password';
create database tapeline owner tapeline_owner;
