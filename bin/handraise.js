#!/usr/bin/env node
import './require-node.js';

await import(new URL('../dist/bundle/handraise.js', import.meta.url).href);
