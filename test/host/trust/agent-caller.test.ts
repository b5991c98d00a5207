import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { agentCallers } from '../../../src/host/trust/agent-caller.js';
import { ownIdentity } from '../../../src/process/families/own-identity.js';
import { runMarker } from '../../../src/process/families/run-marker.js';
import { type LoopbackConnection, otherEnd } from '../../../src/process/families/socket-owner.js';
import { waitUntil } from '../../harness/wait-until.js';
import { startFixture } from '../../process/fixture.js';
import { LoopbackServer } from '../../process/loopback-server.js';

const isAgentCaller = (connection: LoopbackConnection) => agentCallers([connection])[0];

describe.runIf(process.platform === 'linux')('a caller', () => {
  // Of a process that lives, because runners end what the dead have left.
  const HANDRAISE_RUN = runMarker(ownIdentity()).value;

  it('is an agent when it carries the marker of a run', async () => {
    await using server = await LoopbackServer.open();
    const { line } = await startFixture('calls-home.js', { CALL_PORT: String(server.port), HANDRAISE_RUN });
    expect(isAgentCaller(await server.accepted(Number(line)))).toBe(true);
  });

  it.each(['1', '2'])(
    'is an agent when a marked process started it through %s others without the marker',
    async (CALL_DEPTH) => {
      await using server = await LoopbackServer.open();
      const { line } = await startFixture('calls-home.js', {
        CALL_PORT: String(server.port),
        CALL_DEPTH,
        HANDRAISE_RUN,
      });
      expect(isAgentCaller(await server.accepted(Number(line)))).toBe(true);
    },
  );

  it('is a person otherwise, while an agent has a connection of its own', async () => {
    await using server = await LoopbackServer.open();
    const CALL_PORT = String(server.port);
    await startFixture('calls-home.js', { CALL_PORT, HANDRAISE_RUN });
    const person = await startFixture('calls-home.js', { CALL_PORT });
    expect(isAgentCaller(await server.accepted(Number(person.line)))).toBe(false);
    const own = connect(server.port, '127.0.0.1');
    await once(own, 'connect');
    expect(isAgentCaller(await server.accepted(own.localPort ?? 0))).toBe(false);
    own.destroy();
  });

  it('is told apart from others that are asked about in the same look', async () => {
    await using server = await LoopbackServer.open();
    const CALL_PORT = String(server.port);
    const agent = await startFixture('calls-home.js', { CALL_PORT, HANDRAISE_RUN });
    const person = await startFixture('calls-home.js', { CALL_PORT });
    const lines = [person.line, agent.line, person.line, agent.line];
    const connections = await Promise.all(lines.map((line) => server.accepted(Number(line))));
    expect(agentCallers(connections)).toEqual([false, true, false, true]);
  });

  it('that hung up is taken for an agent while there are any', async () => {
    await using server = await LoopbackServer.open();
    const CALL_PORT = String(server.port);
    await startFixture('calls-home.js', { CALL_PORT, HANDRAISE_RUN });
    const caller = await startFixture('calls-home.js', { CALL_PORT });
    const connection = await server.accepted(Number(caller.line));
    caller.child.stdin.end();
    await caller.child.exited;
    await waitUntil('the connection is closed', () => otherEnd(connection) === 'closed');
    expect(isAgentCaller(connection)).toBe(true);
  });
});
