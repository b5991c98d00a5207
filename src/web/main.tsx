// The entry of the web console: what it uses of the world is made here.
import './style/tokens.css';
import './style/base.css';
import './phone/phone.css';
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import { Client } from '../client/client.js';
import { OverviewStore } from '../live/overview-store.js';
import { App } from './app.js';
import { ConsoleClock } from './clock.js';
import { ConsoleReactContext } from './console-context.js';
import { applySingleKeys } from './keys/single-keys.js';
import { Navigation } from './navigation.js';
import { registerServiceWorker } from './phone/push-registration.js';
import { placeOf, sentLinkOf } from './place.js';
import { Presence } from './presence.js';
import { BrokenPart } from './shell/broken-part.js';
import { applyTheme, storedTheme } from './shell/theme.js';
import { takeAskedPath } from './sign-in/asked-path.js';
import { SignIn } from './sign-in/sign-in.js';

// Schemas would be compiled to functions otherwise, which the policy of the server forbids.
config({ jitless: true });

const signIn = new SignIn();
const client = new Client({ locate: signIn.address });
const navigation = new Navigation();
const context = {
  client,
  signIn,
  navigation,
  overview: new OverviewStore(client),
  clock: new ConsoleClock(() => Date.now()),
  presence: new Presence(),
};

applyTheme(storedTheme());
applySingleKeys();

/** Goes where a link leads, and signs in if it can do that. */
async function followLink(): Promise<void> {
  const { code, place } = sentLinkOf(location.hash);
  if (code === undefined && !place) return;
  const asked = code === undefined ? undefined : takeAskedPath(Date.now());
  // A code works once, so it has no business in the history.
  navigation.replace(place ?? (asked === undefined ? navigation.place : placeOf(asked)));
  if (code !== undefined) await signIn.redeem(client, code);
}

// A link that is opened where the console stands already changes nothing but the part after the #.
addEventListener('hashchange', () => void followLink());

await followLink();
void registerServiceWorker();
const element = document.getElementById('console');
if (element) {
  createRoot(element).render(
    <ConsoleReactContext value={context}>
      <BrokenPart>
        <App />
      </BrokenPart>
    </ConsoleReactContext>,
  );
}
