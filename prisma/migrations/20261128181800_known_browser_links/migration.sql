-- Whether a sign-in link was requested by a browser that signed in to the address before. Such links are counted apart.
ALTER TABLE sign_in_token ADD COLUMN known_browser boolean NOT NULL DEFAULT false;
