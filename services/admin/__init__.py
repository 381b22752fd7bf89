"""What operators ask and do, on the command line: through the services, never past them.

Absent: databases, and whatever a seat may not know.
"""
