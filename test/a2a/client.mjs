// The official JavaScript client against a server.
//
//   node client.mjs CONFIG
//
// CONFIG is JSON: server, token, namespace, binding (JSONRPC or HTTP+JSON), and
// what to ask each agent that is asked, by its name: plain, with the rows that it
// must find among those of its queries where they are known, and, where they are
// there, slow (a question that does not end by itself) and unclear (one that is
// asked back, with the answer to give where no choice is offered). model and
// slowModel name who answers. It prints "ok" and what it saw, or fails.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { Role, TaskState } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, RequestMalformedError, TaskNotCancelableError, TaskNotFoundError,
  UnsupportedOperationError, isJsonRpcError, isRestError } from '@a2a-js/sdk/errors';
import { catalog, connect } from './connect.mjs';

const config = JSON.parse(process.argv[2]);
const seen = [];

function message(text, more = {}, configuration = undefined) {
  return {
    tenant: '', metadata: undefined, configuration,
    message: {
      messageId: randomUUID(), contextId: '', taskId: '', role: Role.ROLE_USER, extensions: [], referenceTaskIds: [],
      parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
      metadata: { namespace: config.namespace, ...(config.model && { model: config.model }) }, ...more,
    },
  };
}

function configuration(more) {
  return { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false, ...more };
}

// gist is one word for an event.
function gist({ payload }) {
  switch (payload.$case) {
    case 'task': return `task ${TaskState[payload.value.status.state]}`;
    case 'statusUpdate': return TaskState[payload.value.status.state];
    case 'artifactUpdate': return payload.value.artifact.name;
  }
  return payload.$case;
}

async function collect(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

// The plan of a question that needs no query has no steps.
const orders = {
  nl2ql: /^TASK_STATE_WORKING generated-query result-data TASK_STATE_COMPLETED$/,
  assistant: /^task TASK_STATE_SUBMITTED TASK_STATE_WORKING (TASK_STATE_WORKING )*(step-\d+ )*answer TASK_STATE_COMPLETED$/,
};

async function streams(name, client) {
  const events = await collect(client.sendMessageStream(message(config.plain)));
  const order = events.map(gist).join(' ');
  assert.match(order, orders[name]);
  seen.push(`${name} stream: ${order}`);
  const made = events.filter((e) => e.payload.$case === 'artifactUpdate').map((e) => e.payload.value.artifact);
  const queries = made.filter((a) => a.name === 'result-data' || a.name.startsWith('step-'));
  assert.equal(queries.length, config.queries, 'every query has its rows');
  for (const { parts } of queries) {
    assert.ok(Array.isArray(parts.find((p) => p.content.$case === 'data').content.value.rows), 'a data part holds rows');
  }
  const rows = queries.flatMap(({ parts }) => parts.find((p) => p.content.$case === 'data').content.value.rows);
  for (const wanted of config.rows ?? []) {
    assert.ok(rows.some((row) => Object.entries(wanted).every(([name, value]) => row[name] === value)), `a row has ${JSON.stringify(wanted)}: ${JSON.stringify(rows)}`);
  }
}

async function tasks(client) {
  const task = await client.sendMessage(message(config.plain));
  assert.equal(task.status.state, TaskState.TASK_STATE_COMPLETED);
  assert.ok(task.artifacts.length >= 1);
  const again = await client.getTask({ tenant: '', id: task.id, historyLength: 1 });
  assert.deepEqual(again.artifacts, task.artifacts);
  assert.equal(again.history.length, 1);
  const list = await client.listTasks({ tenant: '', contextId: task.contextId, status: 0, pageSize: 10, pageToken: '', historyLength: 0, statusTimestampAfter: undefined, includeArtifacts: true });
  assert.deepEqual(list.tasks.map((t) => t.id), [task.id]);
  const next = await client.sendMessage(message(config.plain, { contextId: task.contextId }));
  assert.equal(next.contextId, task.contextId);
  assert.notEqual(next.id, task.id);
  return task;
}

async function cancels(client) {
  const slowly = config.slowModel ? { metadata: { namespace: config.namespace, model: config.slowModel } } : {};
  const task = await client.sendMessage(message(config.slow, slowly, configuration({ returnImmediately: true })));
  assert.equal(task.status.state, TaskState.TASK_STATE_WORKING);
  const stream = client.resubscribeTask({ tenant: '', id: task.id });
  const first = await stream.next();
  assert.equal(gist(first.value), 'task TASK_STATE_WORKING');
  const cancelled = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
  assert.equal(cancelled.status.state, TaskState.TASK_STATE_CANCELED);
  const rest = (await collect(stream)).map(gist);
  assert.equal(rest.at(-1), 'TASK_STATE_CANCELED');
  seen.push(`subscribe, then cancel: ${gist(first.value)} ${rest.join(' ')}`);
}

async function asksBack(client) {
  const task = await client.sendMessage(message(config.unclear.question));
  assert.equal(task.status.state, TaskState.TASK_STATE_INPUT_REQUIRED);
  const choices = task.status.message.parts.find((p) => p.content.$case === 'data').content.value.choices;
  assert.ok(config.unclear.answer || choices.length >= 1);
  const done = await client.sendMessage(message(config.unclear.answer ?? choices[0].label, { taskId: task.id, contextId: task.contextId, metadata: undefined }));
  assert.equal(done.id, task.id);
  assert.equal(done.status.state, TaskState.TASK_STATE_COMPLETED);
  assert.equal(done.history.length, 3);
  seen.push('input required, answered, completed');
}

async function pushes(client) {
  const told = [];
  const hook = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => { body += piece; });
    request.on('end', () => {
      told.push({ headers: request.headers, event: JSON.parse(body) });
      response.end();
      hook.emit('told');
    });
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  const url = `http://127.0.0.1:${hook.address().port}/hook`;
  const push = { tenant: '', id: 'mine', taskId: '', url, token: 'a-token', authentication: { scheme: 'Bearer', credentials: 'secret' } };
  const task = await client.sendMessage(message(config.plain, {}, configuration({ returnImmediately: true, taskPushNotificationConfig: push })));
  while (told.at(-1)?.event.statusUpdate?.status.state !== 'TASK_STATE_COMPLETED') await once(hook, 'told');
  for (const { headers } of told) {
    assert.equal(headers.authorization, 'Bearer secret');
    assert.equal(headers['x-a2a-notification-token'], 'a-token');
  }
  const kept = await client.getTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: 'mine' });
  assert.equal(kept.url, url);
  assert.equal(kept.authentication.credentials, '');
  const made = await client.createTaskPushNotificationConfig({ ...push, id: 'second', taskId: task.id, authentication: undefined });
  assert.equal(made.id, 'second');
  const { configs } = await client.listTaskPushNotificationConfig({ tenant: '', taskId: task.id, pageSize: 0, pageToken: '' });
  assert.deepEqual(configs.map((c) => c.id), ['mine', 'second']);
  for (const id of ['mine', 'second']) await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: task.id, id });
  await assert.rejects(client.getTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: 'mine' }), TaskNotFoundError);
  seen.push(`push: ${told.length} notifications`);
  hook.close();
}

async function refusals(client, task) {
  await assert.rejects(client.getTask({ tenant: '', id: randomUUID() }), TaskNotFoundError);
  await assert.rejects(client.cancelTask({ tenant: '', id: task.id, metadata: undefined }), TaskNotCancelableError);
  await assert.rejects(collect(client.resubscribeTask({ tenant: '', id: task.id })), UnsupportedOperationError);
  await assert.rejects(client.sendMessage(message(config.plain, { taskId: task.id })), UnsupportedOperationError);
  const data = [{ content: { $case: 'data', value: { a: 1 } }, metadata: undefined, filename: '', mediaType: 'application/json' }];
  await assert.rejects(client.sendMessage(message('', { parts: data })), ContentTypeNotSupportedError);
  await assert.rejects(collect(client.sendMessageStream(message(config.plain, { metadata: {} }))), RequestMalformedError);
  await assert.rejects(client.sendMessage(message(config.plain, { metadata: { namespace: 'no-such-namespace' } })), RequestMalformedError);
  const strange = await connect({ agentCard: config.card }, 'not-a-token', config.binding);
  await assert.rejects(strange.client.getTask({ tenant: '', id: task.id }), (error) => {
    assert.equal(error.metadata?.errorCode ?? 'UNAUTHORIZED', 'UNAUTHORIZED');
    assert.ok(isJsonRpcError(error) ? error.envelopeCode === -31401 : isRestError(error) && error.statusCode === 401, String(error));
    return true;
  });
  seen.push('typed errors');
}

const agents = await catalog(config.server);
assert.deepEqual(agents.map((a) => a.name), ['nl2ql', 'assistant']);
for (const entry of agents.filter((a) => a.name in config.agents)) {
  Object.assign(config, { slow: undefined, unclear: undefined }, config.agents[entry.name], { card: entry.agentCard });
  const { card, client } = await connect(entry, config.token, config.binding);
  assert.ok(card.skills.length === 1 && card.skills[0].tags.includes('query'));
  await streams(entry.name, client);
  const task = await tasks(client);
  if (config.slow) await cancels(client);
  if (config.unclear) await asksBack(client);
  await pushes(client);
  await refusals(client, task);
  const extended = await client.getAgentCard();
  assert.ok(extended.capabilities.extensions[0].params.namespaces.some((n) => n.endsWith(`/${config.namespace}`)));
}
console.log(`ok over ${config.binding}\n${seen.join('\n')}`);
