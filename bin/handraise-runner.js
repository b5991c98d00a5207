#!/usr/bin/env node
import '../dist/runner/main.js';
