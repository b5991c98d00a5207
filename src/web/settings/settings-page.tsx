import './settings.css';
import '../parts/parts.css';
import type { ReactNode } from 'react';
import { KeysSection } from './keys-section.js';
import { PhoneSection } from './phone-section.js';
import { RulesSection } from './rules-section.js';

/** What holds for this console: which devices are told, what is answered by rules, and what keys do. */
export default function SettingsPage(): ReactNode {
  return (
    <div className="settings section-page scroller">
      <h1>Settings</h1>
      <PhoneSection />
      <RulesSection />
      <KeysSection />
    </div>
  );
}
