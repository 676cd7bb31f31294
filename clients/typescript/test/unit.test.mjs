// What the scenarios cannot show: numbers, bad answers, patience, streams that are cut.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Client, events, parse, parsePath, QuernError } from "@quern/client";

/** A server of one handler, and a client of it. */
async function serve(t, handle, options = {}) {
  const requests = [];
  const server = createServer((request, answer) => {
    requests.push(request);
    handle(request, answer, requests.length);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close() && server.closeAllConnections());
  const base = `http://127.0.0.1:${server.address().port}/api/v1`;
  return { client: new Client({ base, token: "t", patience: 5000, ...options }), requests };
}

const json = (answer, status, body, headers = {}) =>
  answer.writeHead(status, { "Content-Type": "application/json", "X-Request-Id": "r1", ...headers }).end(JSON.stringify(body));
const refused = (code, message = "no") => ({ error_code: code, message });
const rowsOf = (data) => ({ data, metadata: { totalCount: data.length, truncated: false, executedQuery: "q" } });

test("numbers that JavaScript would change are their text", () => {
  const cases = [
    ["9007199254740993", "9007199254740993"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["9007199254740991", 9007199254740991],
    ["0.1", 0.1],
    ["12.5000000000000000000", 12.5],
    ["0.30000000000000004", 0.30000000000000004],
    ["12345678901234567890.123", "12345678901234567890.123"],
    ["1.7976931348623157e308", 1.7976931348623157e308],
    ["1000000000000000000000", "1000000000000000000000"],
    ["0.00000000000000000000", 0],
    ["-0.0000000000000012345", -0.0000000000000012345],
  ];
  for (const [text, want] of cases) assert.deepEqual(parse(`{"a":[${text}]}`), { a: [want] }, text);
  const tricky = ['9007199254740993", 9007199254740993 \\" \\\\', "\u2028 9007199254740993"];
  assert.deepEqual(parse(JSON.stringify({ [tricky[0]]: tricky })), { [tricky[0]]: tricky });
  for (const text of ['{"a":9007199254740993', '"9007199254740993', "9007199254740993e"]) assert.throws(() => parse(text), SyntaxError);
});

test("paths of datasets", () => {
  assert.deepEqual(parsePath("harbour/ships"), { username: "self", namespace: "harbour", datasetName: "ships" });
  for (const text of ["", "ships", "a//b", "a/b/c/d"]) assert.throws(() => parsePath(text), TypeError, text);
});

test("a passing refusal is tried again, with the same key", async (t) => {
  const { client, requests } = await serve(t, (_, answer, n) =>
    n < 3 ? json(answer, n === 1 ? 503 : 500, refused("X")) : json(answer, 200, { indexed: 1 }),
  );
  assert.equal(await client.dataset("a/b").append([{ x: 1 }]), 1);
  const keys = new Set(requests.map((request) => request.headers["idempotency-key"]));
  assert.deepEqual([requests.length, keys.size], [3, 1]);
});

test("a refusal is not tried again, and says what is wrong", async (t) => {
  const body = {
    ...refused("VALIDATION_FAILED", "wrong"),
    sub_errors: [
      { code: "x", message: "of no field" },
      { code: "y", message: "query: is needed" },
    ],
  };
  const { client, requests } = await serve(t, (_, answer) => json(answer, 422, body));
  await assert.rejects(client.query("a", ""), (error) => {
    assert.ok(error instanceof QuernError);
    assert.deepEqual([error.status, error.code, error.field, error.requestId], [422, "VALIDATION_FAILED", "query", "r1"]);
    return true;
  });
  assert.equal(requests.length, 1);
});

test("patience ends, and a long pause that the server asks for ends it too", async (t) => {
  const { client } = await serve(t, (_, answer) => json(answer, 429, refused("THROTTLED"), { "Retry-After": "60" }), { patience: 300 });
  await assert.rejects(client.query("a", "select 1"), { status: 429, retryAfter: 60 });
  const gone = createServer();
  await new Promise((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address();
  await new Promise((resolve) => gone.close(resolve));
  const away = new Client({ base: `http://127.0.0.1:${port}/api/v1`, token: "t", patience: 250 });
  await assert.rejects(away.query("a", "select 1"), { code: "UNREACHABLE", unsent: true });
});

test("a question that may have been taken is not asked again", async (t) => {
  const { client, requests } = await serve(t, (request) => request.socket.destroy());
  await assert.rejects(client.ask("how many?", { namespace: "a" }), { code: "LOST" });
  assert.equal(requests.length, 1);
});

test("a run that fails is an error without a status", async (t) => {
  const { client } = await serve(t, (_, answer) => {
    answer.writeHead(200, { "Content-Type": "text/event-stream" });
    answer.end(
      'id: 1\nevent: run-started\ndata: {"runId":"r","conversationId":"c"}\n\nid: 2\nevent: error\ndata: {"error_code":"CANCELLED","message":"gone"}\n\n',
    );
  });
  await assert.rejects(client.ask("how many?", { namespace: "a" }), { status: 0, code: "CANCELLED", message: "gone" });
});

test("an export that breaks off is no shorter dataset", async (t) => {
  const { client } = await serve(t, (_, answer) => {
    answer.writeHead(200, { "Content-Type": "application/x-ndjson" });
    answer.write('{"a":1}\n', () => answer.destroy());
  });
  const read = async () => {
    const rows = [];
    for await (const row of client.dataset("a/b").rows()) rows.push(row);
    return rows;
  };
  await assert.rejects(read(), { code: "CUT_OFF" });
});

test("rows are columns and values, without what rows tell of themselves", async (t) => {
  const { client } = await serve(t, (_, answer) => json(answer, 200, rowsOf([{ g: "oats", __row: 1, __metadata: { row: 1 } }])));
  const { columns, rows } = await client.query({ namespace: "a", owner: "bob" }, "select g, __row from b");
  assert.deepEqual([columns, rows], [["g", "__row"], [["oats", 1]]]);
});

test("answers that are no JSON are errors too", async (t) => {
  const { client } = await serve(t, (request, answer) =>
    request.url.endsWith("/query")
      ? answer.writeHead(404).end("<html>")
      : answer.writeHead(200, { "Content-Type": "application/json" }).end('{"a":'),
  );
  await assert.rejects(client.query("a", "select 1"), { status: 404, code: "INTERNAL" });
  await assert.rejects(client.run("r"), { code: "CUT_OFF" });
});

test("events are read as the standard says, however they are cut", async () => {
  const text = ": idle\r\n\r\nid: 1\revent: plan\rdata: a\rdata:  b\r\rid: 2\nevent: step\ndata: c\n\nid: 3\ndata: never whole";
  for (let cut = 1; cut < text.length; cut++) {
    const found = [];
    const body = new Blob([text]).stream();
    const pieces = new ReadableStream({
      async start(controller) {
        for await (const all of body) {
          for (let at = 0; at < all.length; at += cut) controller.enqueue(all.slice(at, at + cut));
        }
        controller.close();
      },
    });
    for await (const event of events(new Response(pieces))) found.push([event.id, event.event, event.data]);
    assert.deepEqual(
      found,
      [
        ["1", "plan", "a\n b"],
        ["2", "step", "c"],
      ],
      `cut into ${cut}`,
    );
  }
});
