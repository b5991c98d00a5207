/** What `/` shows while no console is built in: it redeems the login link and says so. Strings, because tsc copies no files. */
export const loginPage: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  '/': {
    type: 'text/html; charset=utf-8',
    text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Handraise</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/login.css">
<script src="/login.js" defer></script>
</head>
<body>
<main>
<h1>Handraise</h1>
<p id="state" role="status">The worker is running.</p>
</main>
</body>
</html>
`,
  },
  '/login.css': {
    type: 'text/css; charset=utf-8',
    text: `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 20vh auto 0; padding: 0 1rem; }
`,
  },
  '/login.js': {
    type: 'text/javascript; charset=utf-8',
    text: `const state = document.getElementById('state');
const code = new URLSearchParams(location.hash.slice(1)).get('login');
if (code) {
  // The code works once; it has no business in the history.
  history.replaceState(null, '', location.pathname);
  signIn(code);
}

async function signIn(code) {
  const response = await fetch('/api/v1/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-handraise': '1' },
    body: JSON.stringify({ code }),
  });
  const body = await response.json();
  state.textContent = response.ok ? 'You are signed in as ' + body.name + '.' : body.detail;
}
`,
  },
};
