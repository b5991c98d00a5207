import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { actorWords } from '../../domain/words/actor-words.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { PushDetail, PushDevice } from '../../protocol/push.js';
import { useConsole } from '../console-context.js';
import { Age } from '../parts/age.js';
import { keepSecret, subscribeDevice } from '../phone/push-registration.js';
import { useSignIn } from '../sign-in/sign-in.js';
import { QrPicture } from './qr-picture.js';

const details: readonly (readonly [PushDetail, string])[] = [
  ['title', 'The name of the work'],
  ['all', 'The question and its options'],
  ['nothing', 'Only that an agent asks'],
];

/** Devices that are told when an agent asks, this one among them, and how a phone gets here. */
export function PhoneSection(): ReactNode {
  const { client, signIn } = useConsole();
  const { secret } = useSignIn(signIn);
  const [devices, setDevices] = useState<readonly PushDevice[]>([]);
  const [detail, setDetail] = useState<PushDetail>('title');
  const [told, setTold] = useState('');
  const [failure, setFailure] = useState('');
  const read = useCallback(async () => setDevices((await client.push.report()).devices), [client]);
  useEffect(() => {
    read().catch((error: unknown) => setFailure(errorSentence(error)));
  }, [read]);
  const act = (work: () => Promise<string>) => {
    setFailure('');
    work()
      .then(setTold)
      .then(read)
      .catch((error: unknown) => setFailure(errorSentence(error)));
  };
  const subscribe = () =>
    act(async () => {
      const device = await subscribeDevice(client, { detail, secret: secret ?? '' });
      return `${device.device} is notified from now on.`;
    });
  const remove = ({ id, device }: PushDevice) =>
    act(async () => {
      await client.push.remove(id);
      await keepSecret(null);
      return `${device} is not notified any more.`;
    });
  const canPush = 'PushManager' in globalThis && 'serviceWorker' in navigator;
  return (
    <section aria-labelledby="phones">
      <h2 id="phones">Phones and browsers</h2>
      {canPush ? (
        <p className="push-choice">
          <label>
            A notification shows{' '}
            <select value={detail} onChange={(event) => setDetail(detailOf(event.target.value))}>
              {details.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={subscribe}>
            Notify this device
          </button>
        </p>
      ) : (
        <p className="note">
          This browser takes no notifications here: they need HTTPS, and on an iPhone the console on the home
          screen.
        </p>
      )}
      <p role="status" className="note">
        {told}
      </p>
      <p role="alert" className="note is-bad">
        {failure}
      </p>
      <ul className="settings-list" aria-label="Devices">
        {devices.map((each) => (
          <li key={each.id}>
            <span>
              {each.device}{' '}
              <span className="note">
                {each.service} · {details.find(([value]) => value === each.detail)?.[1]} ·{' '}
                {actorWords(each.actor)} · <Age at={each.createdAt} /> ago
              </span>
            </span>
            <button type="button" onClick={() => remove(each)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <h3>Open this console on a phone</h3>
      <p>
        Run <code>handraise token link --qr</code> and scan what it prints: it signs the phone in, once. This
        picture is only the address of this page, because a browser that is signed in cannot sign in others.
      </p>
      <QrPicture text={location.origin} label={`QR code of ${location.origin}`} />
    </section>
  );
}

function detailOf(value: string): PushDetail {
  return details.find(([each]) => each === value)?.[0] ?? 'title';
}
