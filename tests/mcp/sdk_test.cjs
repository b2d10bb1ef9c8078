// The MCP proxy between the official SDK's client and real servers from the npm registry.
//
//     node sdk_test.cjs HANDRESETCTL FOLDER      FOLDER has the node_modules that run_sdk_test.sh installs
//
// With HANDRESET_TEST_GATE, HANDRESET_TEST_TOKEN and HANDRESET_TEST_AGENT it asks that gate, whose policy is the built-in
// one, and leaves out what only a stand-in can be told to do. Each connection is a task of its own.
'use strict';
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { Gate } = require('./gate_stand_in.cjs');

const [program, folder] = process.argv.slice(2);
const load = createRequire(path.join(path.resolve(folder), 'here.js'));
const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js');
const { CreateMessageRequestSchema } = load('@modelcontextprotocol/sdk/types.js');
const serverAt = (name) => path.join(folder, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
const everything = [process.execPath, serverAt('server-everything'), 'stdio'];
const filesystem = (root) => [process.execPath, serverAt('server-filesystem'), root];

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'handreset-mcp-'));
const realGate = process.env.HANDRESET_TEST_GATE;
const gate = realGate ? null : new Gate(path.join(work, 'gate.sock'));
const address = realGate ?? `unix:${gate.path}`;
const agent = process.env.HANDRESET_TEST_AGENT ?? 'mcp-test';
const environment = { ...process.env, HANDRESET_TOKEN: process.env.HANDRESET_TEST_TOKEN ?? 'test-token' };

const through = (server) => [program, 'mcp-proxy', '--agent', agent, '--gate', address, '--', ...server];
const textOf = (result) => result.content.map((one) => one.text ?? one.type).join('\n');

async function connected(command, run) {
  const client = new Client({ name: 'handreset-test', version: '1' }, { capabilities: { sampling: {} } });
  client.setRequestHandler(CreateMessageRequestSchema, async () => ({
    role: 'assistant', model: 'none', content: { type: 'text', text: 'sampled by the client' } }));
  const transport = new StdioClientTransport({ command: command[0], args: command.slice(1), env: environment,
                                               stderr: 'ignore' });
  await client.connect(transport);
  try {
    return await run(client);
  } finally {
    await client.close();
  }
}

const until = async (what, isSo) => {
  for (let waited = 0; !isSo(); waited += 10) {
    assert.ok(waited < 10000, `it never came to be: ${what}`);
    await new Promise((done) => setTimeout(done, 10));
  }
};

/// What a client sees of a server without calling a tool.
async function looks(client) {
  const tools = await client.listTools();
  const resources = await client.listResources();
  const uri = resources.resources[0].uri;
  return { server: client.getServerVersion(), can: client.getServerCapabilities(), told: client.getInstructions(), tools,
           resources, read: await client.readResource({ uri }), prompts: await client.listPrompts(),
           templates: await client.listResourceTemplates() };
}

/// Runs a program to its end. `during` may speak to it.
function ran(command, during = (child) => child.stdin.end()) {
  return new Promise((done, failed) => {
    const child = spawn(command[0], command.slice(1), { env: environment });
    const seen = { out: '', err: '' };
    child.stdout.on('data', (chunk) => { seen.out += chunk; });
    child.stderr.on('data', (chunk) => { seen.err += chunk; });
    child.on('error', failed);
    child.on('close', (code, signal) => done({ ...seen, code, signal }));
    during(child, seen);
  });
}

const tests = {
  async 'all that is no call is as without us'() {
    assert.deepEqual(await connected(through(everything), looks), await connected(everything, looks));
  },

  async 'an allowed call has the server\'s own answer'() {
    const call = (client) => client.callTool({ name: 'get-sum', arguments: { a: 2, b: 40 } });
    assert.deepEqual(await connected(through(everything), call), await connected(everything, call));
    if (gate)
      await until('its success is told', () => gate.outcomes('get-sum').at(-1) === 'success');
  },

  async 'a refused call is a tool\'s error that a model can read'() {
    await connected(through(everything), async (client) => {
      const call = () => client.callTool({ name: 'echo', arguments: { message: 'again' } });
      assert.match(textOf(await call()), /again/);
      assert.match(textOf(await call()), /again/);
      const third = await call();
      assert.equal(third.isError, true);
      assert.match(textOf(third), /^Refused by Handreset: .*What would end it: a human re-arms/s);
      await client.ping(); // and the connection lives
    });
  },

  async 'progress comes while the call runs, and others pass it'() {
    await connected(through(everything), async (client) => {
      const seen = [];
      let isOver = false;
      const call = client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } },
                                   undefined, { onprogress: (progress) => seen.push(progress.progress) })
        .then((result) => { isOver = true; return result; });
      await client.ping();
      await client.listTools();
      assert.equal(isOver, false);
      assert.match(textOf(await call), /completed/i);
      // The SDK forgets whom to tell as soon as it has the result; the last may come with it in one read.
      assert.deepEqual(seen.slice(0, 3), [1, 2, 3]);
    });
  },

  async 'the server may ask the client while a call is out'() {
    await connected(through(everything), async (client) => {
      const result = await client.callTool({ name: 'trigger-sampling-request', arguments: { prompt: 'p', maxTokens: 9 } });
      assert.match(textOf(result), /sampled by the client/);
    });
  },

  async 'a call is called off'() {
    await connected(through(everything), async (client) => {
      const stop = new AbortController();
      const call = client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 30, steps: 300 } },
                                   undefined, { signal: stop.signal, onprogress: () => stop.abort('enough') });
      await assert.rejects(call);
      await client.ping();
      if (gate)
        await until('it is told as neutral', () => gate.outcomes('trigger-long-running-operation').at(-1) === 'neutral');
    });
  },

  async 'many calls at once'() {
    await connected(through(everything), async (client) => {
      const calls = Array.from({ length: 40 }, (_, i) =>
        client.callTool({ name: 'echo', arguments: { message: `number ${i}.` } }));
      (await Promise.all(calls)).forEach((result, i) => assert.match(textOf(result), new RegExp(`number ${i}\\.`)));
    });
  },

  async 'wrong arguments are as without us'() {
    const call = (client) => client.callTool({ name: 'get-sum', arguments: { a: 'x' } })
      .catch((error) => ({ code: error.code, message: error.message }));
    assert.deepEqual(await connected(through(everything), call), await connected(everything, call));
  },

  async 'the server has no token'() {
    await connected(through(everything), async (client) => {
      const text = textOf(await client.callTool({ name: 'get-env', arguments: {} }));
      assert.match(text, /PATH/);
      assert.doesNotMatch(text, /HANDRESET_TOKEN/);
    });
  },

  async 'a refused write is not written, an allowed one is, with its usual rights'() {
    const root = fs.mkdtempSync(path.join(work, 'files-'));
    const write = (name) => (client) => client.callTool({
      name: 'write_file', arguments: { path: path.join(root, name), content: 'text' } });
    assert.notEqual((await connected(through(filesystem(root)), write('allowed'))).isError, true);
    await connected(filesystem(root), write('direct'));
    assert.equal(fs.readFileSync(path.join(root, 'allowed'), 'utf8'), 'text');
    assert.equal(fs.statSync(path.join(root, 'allowed')).mode, fs.statSync(path.join(root, 'direct')).mode);
    if (!gate)
      return;
    gate.refused.add('write_file');
    const refusal = await connected(through(filesystem(root)), write('refused'));
    gate.refused.clear();
    assert.match(textOf(refusal), /write_file is outside its envelope \(envelope\)/);
    assert.equal(fs.existsSync(path.join(root, 'refused')), false);
    assert.equal(gate.outcomes('write_file').at(-1), 'none'); // a refused call is never told of
  },

  async 'nothing waits for an ask but its call'() {
    if (!gate)
      return 'skip';
    await connected(through(everything), async (client) => {
      gate.delay = 200;
      const order = [];
      const call = client.callTool({ name: 'echo', arguments: { message: 'slow' } }).then(() => order.push('call'));
      await client.ping().then(() => order.push('ping'));
      await client.listTools().then(() => order.push('list'));
      await call;
      gate.delay = 0;
      assert.deepEqual(order, ['ping', 'list', 'call']);
    });
  },

  async 'without the gate calls are refused, and nothing else is'() {
    if (!gate)
      return 'skip';
    await connected(through(everything), async (client) => {
      assert.notEqual((await client.callTool({ name: 'echo', arguments: { message: 'before' } })).isError, true);
      await gate.stop();
      try {
        const result = await client.callTool({ name: 'echo', arguments: { message: 'meanwhile' } });
        assert.equal(result.isError, true);
        assert.match(textOf(result), /Refused by Handreset: the gate was not reached/);
        assert.ok((await client.listTools()).tools.length > 0);
      } finally {
        await gate.start();
      }
      assert.notEqual((await client.callTool({ name: 'echo', arguments: { message: 'after' } })).isError, true);
    });
  },

  async 'the exit code, standard error and signals are the server\'s'() {
    const node = (code) => through([process.execPath, '-e', code]);
    const left = await ran(node('console.error("last words"); process.stdin.on("end", () => process.exit(7)).resume()'));
    assert.deepEqual([left.code, left.err], [7, 'last words\n']);
    const caught = await ran(node('process.on("SIGTERM", () => process.exit(9)); process.stdin.resume(); console.log("up")'),
                             (child) => child.stdout.once('data', () => child.kill('SIGTERM')));
    assert.equal(caught.code, 9);
    const killed = await ran(node('process.stdin.resume(); console.log("up")'),
                             (child) => child.stdout.once('data', () => child.kill('SIGINT')));
    assert.equal(killed.code, 128 + 2);
    assert.equal((await ran(through(['/nowhere/at/all']))).code, 2);
  },

  async 'each connection ended its task'() {
    if (gate)
      await until('every task is ended', () => new Set(gate.asks.map((ask) => ask.task)).size <= gate.ended.length);
  },
};

(async () => {
  if (gate)
    await gate.start();
  let failures = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      console.log(`${(await test()) ?? 'ok  '}  ${name}`);
    } catch (error) {
      ++failures;
      console.log(`FAIL  ${name}\n${error.stack}`);
    }
  }
  if (gate)
    await gate.stop();
  fs.rmSync(work, { recursive: true, force: true });
  process.exit(failures ? 1 : 0);
})();
