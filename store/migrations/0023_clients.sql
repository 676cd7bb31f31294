-- Applications of others that users granted something: a token good for one resource
-- of this server only, empty for all of them, and the code that it was made from.
ALTER TABLE tokens ADD COLUMN resource TEXT NOT NULL DEFAULT '';
ALTER TABLE login_codes ADD COLUMN client_id TEXT NOT NULL DEFAULT ''; -- empty: the console
ALTER TABLE login_codes ADD COLUMN client_name TEXT NOT NULL DEFAULT '';
ALTER TABLE login_codes ADD COLUMN resource TEXT NOT NULL DEFAULT '';
