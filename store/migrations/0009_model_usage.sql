-- What every user's questions took of the models, by day. Cost is in millionths
-- of the currency of the operator's prices.
CREATE TABLE model_usage (
    user_id       TEXT NOT NULL,
    day           TEXT NOT NULL,
    provider      TEXT NOT NULL,
    model         TEXT NOT NULL,
    requests      BIGINT NOT NULL,
    input_tokens  BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost          BIGINT NOT NULL,
    PRIMARY KEY (user_id, day, provider, model)
);
