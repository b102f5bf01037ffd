-- Passkeys that were added before open the operator's area no more: nothing says whether a mail had proved the address.
ALTER TABLE passkey ADD COLUMN confirms_operator boolean NOT NULL DEFAULT false;
