// The entry of the web console: what it uses of the world is made here.
import './style/tokens.css';
import './style/base.css';
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import { Client } from '../client/client.js';
import { App } from './app.js';
import { Clock } from './clock.js';
import { Navigation } from './navigation.js';
import { OutsideContext } from './outside.js';
import { OverviewStore } from './overview/overview-store.js';
import { sentLinkOf } from './place.js';
import { Presence } from './presence.js';
import { applyTheme, storedTheme } from './shell/theme.js';

// Schemas would be compiled to functions otherwise, which the policy of the server forbids.
config({ jitless: true });

const client = new Client({ url: location.origin });
const navigation = new Navigation();
const outside = {
  client,
  navigation,
  overview: new OverviewStore(client),
  clock: new Clock(() => Date.now()),
  presence: new Presence(),
};

applyTheme(storedTheme());
const { code, place } = sentLinkOf(location.hash);
// A code works once, so it has no business in the history.
if (code !== undefined || place) navigation.replace(place ?? navigation.place);

// A link that is opened where the console stands already changes nothing but the part after the #.
addEventListener('hashchange', () => location.reload());

const element = document.getElementById('console');
if (element) {
  createRoot(element).render(
    <OutsideContext value={outside}>
      <App {...(code === undefined ? {} : { code })} />
    </OutsideContext>,
  );
}
