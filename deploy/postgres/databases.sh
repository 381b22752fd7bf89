#!/bin/sh
# First start: a role and a database of the same name for each service, closed to the others.
# A service owns its tables and its migration history, and can not even connect to another's.
set -eu

for service in matchmaking rules ai; do
    eval "password=\$ODDSOCKS_DB_PASSWORD_$(echo "$service" | tr a-z A-Z)"
    psql -v ON_ERROR_STOP=1 --no-psqlrc --quiet --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
        -v name="oddsocks_$service" -v password="$password" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name";
REVOKE CONNECT ON DATABASE :"name" FROM PUBLIC;
SQL
done
