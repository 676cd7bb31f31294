// The official JavaScript client of the Model Context Protocol, used against a running server over HTTP and
// over standard input and output. Its argument is JSON: {server, token, quern}. It prints "ok" when all went well.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { server, token, quern } = JSON.parse(process.argv[2]);

const http = (secret) =>
  new StreamableHTTPClientTransport(new URL(server + '/mcp'), { requestInit: { headers: { Authorization: `Bearer ${secret}` } } });
const transports = {
  http: () => http(token),
  stdio: () =>
    new StdioClientTransport({
      command: quern, args: ['mcp'], env: { ...process.env, QUERN_SERVER: server, QUERN_TOKEN: token },
    }),
};

for (const [name, open] of Object.entries(transports)) {
  const client = new Client({ name: 'quern-test', version: '1' });
  await client.connect(open());
  const { tools } = await client.listTools(); // from here on the library holds results to the tools' schemas
  assert.equal(tools.length, 9);
  const call = async (tool, args) => {
    const result = await client.callTool({ name: tool, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result));
    return result.structuredContent;
  };
  await call('list_datasets', {});
  await call('describe_dataset', { dataset: 'harbour/ships' });
  assert.equal((await call('sample_rows', { dataset: 'harbour/ships', limit: 1 })).count, 1);
  await call('read_knowledge', { namespace: 'harbour' });
  assert.ok((await call('search_rows', { namespace: 'harbour', words: 'norway' })).matches.length > 0);
  const counted = await call('run_query', { namespace: 'harbour', query: 'select count(*) as n from ships' });
  assert.ok(counted.rows[0].n > 0);
  const heard = [];
  const answer = await client.callTool(
    { name: 'ask', arguments: { namespace: 'harbour', question: 'How many ships are there?' } }, undefined,
    { onprogress: (p) => heard.push(p.message), timeout: 600_000 },
  );
  assert.equal(Object.values(answer.structuredContent.steps[0].rows[0])[0], counted.rows[0].n);
  assert.equal(heard[0], 'started');
  const wrong = await client.callTool({ name: 'run_query', arguments: { namespace: [], query: 1 } });
  assert.ok(wrong.isError && JSON.parse(wrong.content[0].text).sub_errors.length === 2, JSON.stringify(wrong));
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: resources.find((r) => r.uri.endsWith('/ships')).uri });
  assert.match(contents[0].text, /"dataset":"ada\/harbour\/ships"/);
  assert.equal((await client.listPrompts()).prompts.length, 4);
  await client.close();
  console.log('ok', name);
}

const stranger = new Client({ name: 'quern-test', version: '1' });
await assert.rejects(stranger.connect(http(token + 'x')), { code: 401 });
console.log('ok refused');
