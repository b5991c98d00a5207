import { expect, test } from 'vitest';
import { launchAgent } from '../../../src/cli/service/launch-agent.js';
import { systemdUnit } from '../../../src/cli/service/systemd-unit.js';

const service = {
  name: 'handraise',
  command: ['/opt/node "20"/bin/node', '/opt/100% $HOME/handraise.js', 'up'],
  home: '/home/me/state 50%',
  env: { HANDRAISE_HOME: '/home/me/state 50%', PATH: '/usr/bin:/a\\b' },
  envFile: '/home/me/.config/handraise/service.env',
};

test('the unit of systemd ends the worker alone, and has every word as it is', () => {
  expect(systemdUnit(service)).toBe(String.raw`[Unit]
Description=Handraise worker
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart="/opt/node \"20\"/bin/node" "/opt/100%% $$HOME/handraise.js" "up"
WorkingDirectory=/home/me/state 50%%
Environment="HANDRAISE_HOME=/home/me/state 50%%"
Environment="PATH=/usr/bin:/a\\b"
EnvironmentFile=-/home/me/.config/handraise/service.env
KillMode=process
OOMPolicy=continue
Restart=on-failure
RestartSec=5
TimeoutStopSec=60

[Install]
WantedBy=default.target
`);
});

test('the agent of launchd abandons what the worker started, and has every word as it is', () => {
  const text = launchAgent({
    ...service,
    name: 'dev.handraise.worker',
    command: ['/a&b/node', '<c>.js', 'up'],
  });
  expect(text).toContain('<key>AbandonProcessGroup</key>\n  <true/>');
  expect(text).toContain('<key>SuccessfulExit</key>\n    <false/>');
  expect(text).toContain(
    '    <string>/a&amp;b/node</string>\n    <string>&lt;c&gt;.js</string>\n    <string>up</string>',
  );
  expect(text).toContain('<key>PATH</key>\n    <string>/usr/bin:/a\\b</string>');
  expect(text).toContain('<string>/home/me/state 50%/worker.log</string>');
});
