import sys
from pathlib import Path

from jgrep.cli import cli

Path("messages.txt").write_text("Please refund me.\nThank you.\n")
sys.argv = ["jgrep", "-p", "0.5", "asks for a refund", "messages.txt"]
cli()
