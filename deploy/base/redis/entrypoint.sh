#!/bin/sh
# `redis-server [OPTION…]` or only options, as the public image takes them; anything else is run as it is.
set -eu
case ${1:--} in
    redis-server) shift ;;
    -*) ;;
    *) exec "$@" ;;
esac
# Reachable from other containers, as in the public image: the network around it is the wall.
exec redis-server "$@" --protected-mode no
