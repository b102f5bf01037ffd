-- A sum is updated at each roll-up of its hour and day. With room on its page the new row stays there and no index changes.
ALTER TABLE usage_sum SET (fillfactor = 70);
