#!/bin/sh
# Run once, by the PostgreSQL of compose.yaml for an empty volume: makes the database and the role
# that owns it. The application never is a superuser, who could read files of the server and pass
# by every trigger; afterwards nobody signs in as one but inside the container, without a password.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv password ORACLE_PASSWORD
CREATE ROLE oracle LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE oracle OWNER oracle ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE oracle FROM PUBLIC;
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL
