from pathlib import Path

import pytest

TEST = '''
def test_reply_asks_for_a_refund(jev):
    assert jev.holds("Please refund me.", "asks for a refund", threshold=0.7)
'''
Path("test_reply.py").write_text(TEST)
assert pytest.main(["-q", "test_reply.py"]) == 0
print("passed")
