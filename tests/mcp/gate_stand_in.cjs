// A gate for these tests, on a Unix socket: allows, refuses the tools that it is told to, and refuses the third equal call
// of a task, as the built-in policy's repetition limit does.
'use strict';
const http = require('node:http');

class Gate {
  constructor(path) {
    this.path = path;
    this.asks = [];
    this.results = new Map(); // id -> body
    this.ended = [];
    this.refused = new Set(); // tools
    this.delay = 0; // ms before an ask is answered
    this.equal = new Map();
  }

  start() {
    this.server = http.createServer((request, response) => this.serve(request, response));
    return new Promise((done) => this.server.listen(this.path, done));
  }

  stop() {
    return new Promise((done) => {
      this.server.close(done);
      this.server.closeAllConnections();
    });
  }

  serve(request, response) {
    let text = '';
    request.on('data', (chunk) => { text += chunk; });
    request.on('end', () => {
      const body = JSON.parse(text);
      const result = request.url.match(/^\/v1\/calls\/([^/]+)\/result$/);
      if (request.headers.authorization !== 'Bearer test-token')
        this.answer(response, 401, { error: { code: 'unauthorized', message: 'who are you' } });
      else if (request.url === '/v1/calls')
        setTimeout(() => this.answer(response, 200, this.decide(body)), this.delay);
      else if (result)
        this.answer(response, this.results.has(result[1]) ? 409 : 204, null, this.results.set(result[1], body));
      else if (/^\/v1\/tasks\/[^/]+\/end$/.test(request.url))
        this.answer(response, 204, null, this.ended.push(request.url.split('/')[3]));
      else
        this.answer(response, 404, { error: { code: 'not_found', message: request.url } });
    });
  }

  answer(response, status, body) {
    const text = body ? JSON.stringify(body) : '';
    if (status !== 204) {
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('Content-Length', Buffer.byteLength(text));
    }
    response.statusCode = status;
    response.end(text);
  }

  decide(ask) {
    this.asks.push(ask);
    const what = JSON.stringify([ask.task, ask.tool, ask.arguments]);
    this.equal.set(what, (this.equal.get(what) ?? 0) + 1);
    if (this.refused.has(ask.tool))
      return this.deny(ask, 'envelope', `${ask.tool} is outside its envelope`, 'after_human');
    if (this.equal.get(what) >= 3)
      return this.deny(ask, 'repetition', 'the same call 3 times running', 'after_human');
    return { id: ask.id, decision: 'allow', rung: 'closed', writes: true };
  }

  deny(ask, source, text, retry) {
    return { id: ask.id, decision: 'deny', rung: 'closed', writes: true, reason: { source, text, retry, trip: 4 } };
  }

  /// What was told of the calls to this tool, in order of the asks.
  outcomes(tool) {
    return this.asks.filter((ask) => ask.tool === tool).map((ask) => this.results.get(ask.id)?.outcome ?? 'none');
  }
}

module.exports = { Gate };
