-- Addresses that the user had before a change, so that deleting the user erases them too. Emptied with the user.
ALTER TABLE app_user ADD COLUMN past_emails text[] DEFAULT '{}';
