// Brings what is asked at a port of a machine without a way out to a socket in a file. It ends when its input does.
import { connect, createServer } from 'node:net';

const [, , port, path = ''] = process.argv;
createServer((near) => {
  const far = connect(path);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.pipe(far).pipe(near);
}).listen(Number(port), '127.0.0.1', () => console.log('there'));
process.stdin.resume().on('end', () => process.exit());
