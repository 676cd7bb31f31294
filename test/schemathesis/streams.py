"""Tells Schemathesis what the events of a stream are.

In OpenAPI 3.0 the schema of a stream is that of its whole text; ours names the
schema of each event's data in `x-events`. Schemathesis holds every event, as an
object, to the schema of the stream, so it gets one that is of events.
"""

import schemathesis


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for schema in raw_schema["components"]["schemas"].values():
        named = schema.pop("x-events", None)
        if named:
            schema.clear()
            schema["anyOf"] = [event(data, name) for name, data in named.items()]
    # The events of JSON-RPC have no names, and each is an answer.
    answers = raw_schema["paths"]["/a2a/{agent}"]["post"]["responses"]["200"]["content"]
    answers["text/event-stream"]["schema"] = event(answers["application/json"]["schema"])


def event(data, name=None):
    """The schema of an event with such data, and with a name where it has one."""
    schema = {
        "type": "object",
        "required": ["data"],
        "properties": {"data": {"type": "string", "contentMediaType": "application/json", "contentSchema": data}},
    }
    if name:
        schema["required"].append("event")
        schema["properties"]["event"] = {"type": "string", "enum": [name]}
    return schema
