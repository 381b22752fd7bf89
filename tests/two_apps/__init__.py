"""Whole matches by touches on apps that are processes of their own: killed, turned, cut off.

python -m tests.two_apps
"""
