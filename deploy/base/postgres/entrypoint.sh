#!/bin/sh
# First start: make the cluster and run /docker-entrypoint-initdb.d/*, as the public image does;
# then, and on every later start, run the server.
#
# POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE (required), POSTGRES_USER (postgres),
# POSTGRES_DB (POSTGRES_USER), PGDATA.
set -eu

user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}

first_start() {
    password=${POSTGRES_PASSWORD:-}
    if [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then password=$(cat "$POSTGRES_PASSWORD_FILE"); fi
    if [ -z "$password" ]; then
        echo "POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE must be set" >&2
        exit 1
    fi
    # Made beside its final place and moved there in one step when complete, so that a first start
    # which is interrupted begins anew instead of leaving half a cluster.
    fresh=$PGDATA.new
    rm -rf "$fresh"
    secret=$(mktemp)
    printf '%s' "$password" > "$secret"
    initdb --pgdata="$fresh" --username="$user" --pwfile="$secret" --encoding=UTF8 --locale=C.UTF-8 \
        --auth-local=trust --auth-host=scram-sha-256
    rm "$secret"
    echo "host all all all scram-sha-256" >> "$fresh/pg_hba.conf"

    # On its socket only: nobody can reach the server, or take it for healthy, before it is complete.
    pg_ctl --pgdata="$fresh" --wait --silent -o "-c listen_addresses=''" start
    if [ "$database" != postgres ]; then createdb --username="$user" "$database"; fi
    export POSTGRES_USER="$user" POSTGRES_DB="$database"
    for script in /docker-entrypoint-initdb.d/*; do
        case $script in
            *.sh) . "$script" ;;
            *.sql) psql -v ON_ERROR_STOP=1 --no-psqlrc --username="$user" --dbname="$database" -f "$script" ;;
        esac
    done
    pg_ctl --pgdata="$fresh" --wait --silent --mode=fast stop
    mv -T "$fresh" "$PGDATA"
}

if [ "${1:-}" = postgres ]; then
    if [ ! -s "$PGDATA/PG_VERSION" ]; then first_start; fi
    shift
    set -- postgres -D "$PGDATA" -c "listen_addresses=*" "$@"
fi
exec "$@"
