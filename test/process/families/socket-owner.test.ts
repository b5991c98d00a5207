import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  connectionOwners,
  otherEnd,
  socketsIn,
  socketsOf,
} from '../../../src/process/families/socket-owner.js';
import { waitUntil } from '../../harness/wait-until.js';
import { startFixture } from '../fixture.js';
import { LoopbackServer } from '../loopback-server.js';

describe.runIf(process.platform === 'linux')('the other end of a connection', () => {
  it('belongs to the process that opened it, and to no other', async () => {
    await using server = await LoopbackServer.open();
    const caller = await startFixture('calls-home.js', { CALL_PORT: String(server.port) });
    await startFixture('calls-home.js', { CALL_PORT: String(server.port) });
    const connection = await server.accepted(Number(caller.line));
    expect(connectionOwners(connection)).toEqual(new Set([caller.child.pid]));
    const { remotePort, localPort } = connection;
    expect(connectionOwners({ remotePort, localPort })).toEqual(new Set([caller.child.pid]));
  });

  it('is found from another loopback address, among equal ports', async () => {
    await using server = await LoopbackServer.open();
    const CALL_PORT = String(server.port);
    const first = await startFixture('calls-home.js', { CALL_PORT });
    const remotePort = Number(first.line);
    const second = connect({
      port: server.port,
      host: '127.0.0.1',
      localAddress: '127.0.0.2',
      localPort: remotePort,
    });
    await once(second, 'connect');
    const { localPort } = await server.accepted(remotePort);
    expect(connectionOwners({ remotePort, localPort, remoteAddress: '127.0.0.1' })).toEqual(
      new Set([first.child.pid]),
    );
    expect(connectionOwners({ remotePort, localPort, remoteAddress: '127.0.0.2' })).toEqual(
      new Set([process.pid]),
    );
    expect(connectionOwners({ remotePort, localPort })).toEqual(new Set([process.pid, first.child.pid]));
    second.destroy();
  });

  it('is found when an IPv6 socket reaches an IPv4 listener', async () => {
    await using server = await LoopbackServer.open();
    const caller = await startFixture('calls-home.js', {
      CALL_PORT: String(server.port),
      CALL_HOST: '::ffff:127.0.0.1',
    });
    const connection = await server.accepted(Number(caller.line));
    expect(connectionOwners(connection)).toEqual(new Set([caller.child.pid]));
  });

  it('is nobody’s once it was closed', async () => {
    await using server = await LoopbackServer.open();
    const caller = await startFixture('calls-home.js', { CALL_PORT: String(server.port) });
    const connection = await server.accepted(Number(caller.line));
    caller.child.stdin.end();
    await caller.child.exited;
    await waitUntil('the connection is closed', () => otherEnd(connection) === 'closed');
    expect(connectionOwners(connection)).toEqual(new Set());
  });
});

function row(from: string, to: string, inode: number): string {
  return `   0: ${from} ${to} 01 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 20`;
}

describe('a table', () => {
  const head =
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
  const connection = { remotePort: 0xc350, localPort: 0x1f90 };

  it('is read for the client’s side, on loopback only', () => {
    const table = [
      head,
      row('0100007F:1F90', '00000000:0000', 1),
      row('0100007F:1F90', '0100007F:C350', 2),
      row('0100007F:C350', '0100007F:1F90', 3),
      row('0200A8C0:C350', '0100A8C0:1F90', 4),
      row('0000000000000000FFFF00000100007F:C350', '0000000000000000FFFF00000100007F:1F90', 5),
      row('00000000000000000000000001000000:C350', '00000000000000000000000001000000:1F90', 6),
      row('0200007F:C350', '0100007F:1F90', 7),
      '',
    ].join('\n');
    expect(socketsIn(table, connection)).toEqual(['3', '5', '6', '7']);
    expect(socketsIn(table, { ...connection, remoteAddress: '127.0.0.1' })).toEqual(['3', '5']);
    expect(socketsIn(table, { ...connection, remoteAddress: '::ffff:127.0.0.2' })).toEqual(['7']);
    expect(socketsIn('', connection)).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('the files of a process', () => {
  it('are not there when the process is not', () => {
    expect(socketsOf(2 ** 30)).toEqual(new Set());
  });
});
