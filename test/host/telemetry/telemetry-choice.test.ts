import { expect, it } from 'vitest';
import { telemetryChoice } from '../../../src/host/telemetry/telemetry-choice.js';

const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const common = { headers: {}, resource: { 'service.name': 'handraise' }, withTexts: false };

it.each([
  ['nothing is said', {}, {}, null],
  ['the variable is empty', {}, { [endpoint]: '' }, null],
  ['the variable', {}, { [endpoint]: 'http://c:4318' }, { ...common, url: 'http://c:4318/v1/traces' }],
  [
    'a path of its own',
    {},
    { [endpoint]: 'https://c/otlp/' },
    { ...common, url: 'https://c/otlp/v1/traces' },
  ],
  [
    'the variable for traces, as it is',
    {},
    { [endpoint]: 'http://a', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:1/x' },
    { ...common, url: 'http://c:1/x' },
  ],
  [
    'the setting comes first',
    { telemetryEndpoint: 'http://mine:1', telemetryTexts: true },
    { [endpoint]: 'http://c' },
    { ...common, url: 'http://mine:1/v1/traces', withTexts: true },
  ],
  [
    'headers and resource',
    {},
    {
      [endpoint]: 'http://c',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b=x%3Dy,broken,=no',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=ours,zone=%E4%BD%A0,bad=%',
    },
    {
      url: 'http://c/v1/traces',
      headers: { a: '1', b: 'x=y' },
      resource: { 'service.name': 'ours', zone: '你', bad: '%' },
      withTexts: false,
    },
  ],
  ['switched off', { telemetryEndpoint: 'http://c' }, { OTEL_SDK_DISABLED: 'true' }, null],
  ['no traces', {}, { [endpoint]: 'http://c', OTEL_TRACES_EXPORTER: 'none' }, null],
] as const)('%s', (_, settings, env, expected) => {
  expect(telemetryChoice(settings, env, () => {})).toEqual(expected);
});

it('says what it cannot follow', () => {
  const said: string[] = [];
  const say = (sentence: string) => void said.push(sentence);
  expect(telemetryChoice({}, { [endpoint]: 'collector:4317' }, say)).toBeNull();
  expect(telemetryChoice({}, { [endpoint]: 'http://c', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, say)?.url).toBe(
    'http://c/v1/traces',
  );
  expect(said).toEqual([
    'No traces are sent: OTEL_EXPORTER_OTLP_ENDPOINT is no http or https URL. Set it to one such as http://127.0.0.1:4318.',
    'Traces are sent as http/json, although the environment asks for grpc; nothing else is supported.',
  ]);
});

it.each([
  ['the setting', { telemetryEndpoint: 'https://ada:s3cret@c' }, {}, 'the setting telemetryEndpoint'],
  ['a variable', {}, { [endpoint]: 'http://t0ken@c:4318' }, endpoint],
])('takes no secret from the URL in %s, and does not repeat it', (_, settings, env, source) => {
  const said: string[] = [];
  expect(telemetryChoice(settings, env, (sentence) => void said.push(sentence))).toBeNull();
  expect(said).toEqual([
    `No traces are sent: ${source} holds a user name or a password. Take them out of the URL, and set OTEL_EXPORTER_OTLP_HEADERS to a header such as authorization=Basic%20….`,
  ]);
});

it('takes headers over that can be sent, in small letters, and says of the others no more than their names', () => {
  const said: string[] = [];
  const headers = [
    'X-Team=a',
    'Content-Type=text/plain',
    'Authorization=Bearer%20s3cret%0Ax',
    'x-odd=s3cret%00你',
    'authorization: Bearer s3cret=',
    'x-team=b%0A',
  ].join(',');
  const choice = telemetryChoice(
    {},
    { [endpoint]: 'http://c', OTEL_EXPORTER_OTLP_HEADERS: headers },
    (sentence) => void said.push(sentence),
  );
  expect(choice?.headers).toEqual({ 'x-team': 'b' });
  expect(said).toEqual([
    'The header content-type for traces is not taken over: the worker sets it itself.',
    'The header authorization for traces is not sent: its value has characters that a header cannot hold.',
    'The header x-odd for traces is not sent: its value has characters that a header cannot hold.',
    'A header for traces is not sent: what stands before its = is not the name of a header.',
  ]);
});
