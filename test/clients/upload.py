"""Posts a body with Python's own HTTP client and prints the status, the error's code and the first four characters
of the request id. When the connection breaks, prints the exception's name and exits with 1.

upload.py PORT KEY BYTES declared|closing|chunked PIECES_PER_SECOND (0: as fast as it goes)
"""
import http.client
import json
import sys
import time

port, key, size, how, rate = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4], float(sys.argv[5])
PIECE = 65536 if rate == 0 else 1024


def pieces():
    left = size
    while left:
        yield b" " * min(PIECE, left)
        left -= min(PIECE, left)
        if rate:
            time.sleep(1 / rate)


connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
if how == "closing":
    headers["Connection"] = "close"
if how != "chunked":
    headers["Content-Length"] = str(size)
try:
    connection.request("POST", "/v1/decisions", body=pieces(), headers=headers, encode_chunked=how == "chunked")
except (BrokenPipeError, ConnectionResetError) as error:
    print(type(error).__name__)
    sys.exit(1)
response = connection.getresponse()
error = json.loads(response.read())["error"]
print(response.status, error["code"], response.headers["x-request-id"][:4])
