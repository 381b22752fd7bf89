"""Computer opponents: notices the seats that wait for an agent and sees to it that they act.

Three ways lead to an action, each slower to fail than the one before: a Celery worker thinks; a
worker takes a quick look; or, when no worker answers, a child process of this service does.
"""
