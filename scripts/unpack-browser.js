// Unpacks the browser that npm brings into the temporary folder; see browser.js.
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
