// Says what is missing before anything is loaded that an older Node cannot even read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `handraise: Node ${process.versions.node} is too old. Install Node 20.19 or later (nodejs.org), then try again.\n`,
  );
  process.exit(78);
}
