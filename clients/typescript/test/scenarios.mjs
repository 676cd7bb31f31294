// Runs the scenarios of clients/scenarios with what `npm run build` made, in Node.
// QUERN_SCENARIOS is a file that holds them as JSON, QUERN_SERVER, QUERN_CUTTING,
// QUERN_TOKEN and QUERN_BOB are the server, the one that breaks streams off, and the
// tokens of ada and bob.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { tableFromIPC } from "apache-arrow";
import { Client, collect, QuernError, stepResult } from "@quern/client";

const { QUERN_SCENARIOS, QUERN_SERVER, QUERN_CUTTING, QUERN_TOKEN, QUERN_BOB } = process.env;

/** The client of who does a step. */
function clientOf(step, kept) {
  const who = step.as ?? "ada";
  const token = { ada: QUERN_TOKEN, bob: QUERN_BOB, nobody: "no-token" }[who] ?? valueOf(who, kept);
  return new Client({ base: `${step.through === "cutting" ? QUERN_CUTTING : QUERN_SERVER}/api/v1`, token, patience: 30_000 });
}

function valueOf(value, kept) {
  return typeof value === "string" && value.startsWith("$") && value.slice(1) in kept ? kept[value.slice(1)] : value;
}

function numbers(name, lines) {
  return new File([`n\n${Array.from({ length: lines }, (_, i) => `${i}\n`).join("")}`], name);
}

/** A result as the scenarios write it: values as text, null as itself. */
function plain(result) {
  const text = (value) => (value === null || typeof value === "string" ? value : JSON.stringify(value));
  return { ...result, rows: result.rows.map((row) => row.map(text)), count: result.rows.length };
}

async function bytesOf(stream) {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The verbs of the scenarios. */
const verbs = {
  create: (client, { dataset }) => client.dataset(dataset).create(),
  append: async (client, { dataset, rows }) => ({ rows: await client.dataset(dataset).append(rows) }),
  describe: async (client, { dataset }) => {
    const about = await client.dataset(dataset).describe();
    return { rows: about.rowCount, columns: about.columnNames };
  },
  delete: (client, { dataset }) => client.dataset(dataset).delete(),
  query: async (client, { namespace, sql }) => plain(await client.query(namespace, sql)),
  export: async (client, { dataset, format }) => {
    const content = await bytesOf(client.dataset(dataset).export(format));
    if (format !== "arrow") return { text: content.toString() };
    const { rowCount } = await client.dataset(dataset).describe();
    let rows = 0;
    for await (const row of client.dataset(dataset).rows()) rows += row ? 1 : 0;
    return { whole: tableFromIPC(content).numRows === rowCount && rows === rowCount };
  },
  ask: async (client, { namespace, question, conversation, revokeAtFirst }) => {
    const events = [];
    const asked = async function* () {
      for await (const event of client.stream(question, { namespace, conversation })) {
        events.push(event.type);
        if (revokeAtFirst && events.length === 1) await clientOf({}, {}).revokeToken(revokeAtFirst);
        yield event;
      }
    };
    const answer = await collect(asked());
    const choices = answer.clarification?.choices ?? [];
    const last = answer.steps.at(-1);
    return {
      ...(last && plain(stepResult(last))),
      response: answer.response,
      doubt: answer.doubt ?? false,
      events,
      choices: choices.map((choice) => choice.label),
      choice: choices[0]?.question,
      conversation: answer.conversationId,
    };
  },
  leave: async (client, { namespace, question }) => {
    for await (const event of client.stream(question, { namespace })) return { run: event.data.runId };
  },
  await: async (client, { run }) => {
    const { response } = await collect(client.follow(run));
    return { status: (await client.run(run)).status, response };
  },
  interrupt: async (client, { name, lines }) => {
    const stop = new AbortController();
    let session;
    const sent = client.upload([numbers(name, lines)], {
      parallel: 1,
      signal: stop.signal,
      onStart: (id) => (session = id),
      onProgress: (done) => done >= 64 << 10 && stop.abort(),
    });
    await assert.rejects(sent, { name: "AbortError" });
    return { session };
  },
  upload: async (client, { name, lines, session }) => {
    const file = numbers(name, lines);
    const told = [];
    let before;
    const onStart = () => (before = told.at(-1));
    const done = await client.upload([file], { session, onStart, onProgress: (sent) => told.push(sent) });
    return { status: done.sessionStatus, resumed: before > 0 && told.at(-1) === file.size };
  },
  ingest: async (client, { dataset, session }) => {
    const done = await client.followIngestion(await client.dataset(dataset).ingestSession(session));
    return { status: done.status, rows: done.processedRows };
  },
  share: (client, { dataset, username, role }) => client.dataset(dataset).share(username, role),
  unshare: (client, { dataset, username }) => client.dataset(dataset).unshare(username),
  shares: async (client, { dataset }) => ({ shares: await client.dataset(dataset).shares() }),
  knowledge: (client, { namespace }) => client.knowledge(namespace),
  changeKnowledge: async (client, { namespace, version, merge }) => {
    const { knowledge } = await client.changeKnowledge(namespace, version, { merge });
    return { words: knowledge.words.length };
  },
  createToken: (client, { name, ...how }) => client.createToken(name, how),
};

async function run(step, kept) {
  const given = Object.fromEntries(Object.entries(step.with ?? {}).map(([name, value]) => [name, valueOf(value, kept)]));
  let got;
  try {
    got = await verbs[step.do](clientOf(step, kept), given);
  } catch (error) {
    if (!step.fails || !(error instanceof QuernError)) throw error;
    for (const [name, want] of Object.entries(step.fails)) assert.equal(error[name], want, `it fails with ${error.message}: ${name}`);
    assert.ok(error.requestId && error.message, "a failure names its request");
    return;
  }
  assert.ok(!step.fails, `it gives ${JSON.stringify(got)}, want it to fail`);
  for (const [name, want] of Object.entries(step.gives ?? {})) assert.deepEqual(got[name], want, name);
  for (const [name, member] of Object.entries(step.keep ?? {})) {
    assert.ok(got[member] !== undefined, `there is no ${member} to keep`);
    kept[name] = got[member];
  }
}

let failures = 0;
for (const { name, steps } of JSON.parse(readFileSync(QUERN_SCENARIOS, "utf8"))) {
  const kept = {};
  let at = 0;
  try {
    for (const step of steps) {
      at++;
      await run(step, kept);
    }
    console.log(`ok ${name}`);
  } catch (error) {
    failures++;
    console.log(`FAIL ${name}: step ${at}, ${steps[at - 1].do}: ${error.stack}`);
  }
}
console.log(`${failures} failures`);
process.exitCode = failures ? 1 : 0;
