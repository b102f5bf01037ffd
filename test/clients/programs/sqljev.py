import contextlib
import io
import json
import sqlite3

from sqljev.cli import main

texts = ["Please refund me."] * 5 + [f"Parcel {i} arrived." for i in range(20)]
with sqlite3.connect("tickets.db") as database:
    database.execute("CREATE TABLE tickets (message TEXT)")
    database.executemany("INSERT INTO tickets VALUES (?)", [(text,) for text in texts])
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    main(["query", "sqlite:///tickets.db", "SELECT * FROM tickets", "--prob", "asks for a refund", "--format", "jsonl"])
rows = printed.getvalue().splitlines()
print(len(rows), *[f"{json.loads(row)['jev_prob']:.2f}" for row in (rows[0], rows[-1])])
