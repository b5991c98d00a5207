import './settings.css';
import '../parts/parts.css';
import type { ReactNode } from 'react';
import { PhoneSection } from './phone-section.js';
import { RulesSection } from './rules-section.js';

/** What holds for this console: which devices are told, and what is answered by rules. */
export default function SettingsPage(): ReactNode {
  return (
    <div className="settings section-page scroller">
      <h1>Settings</h1>
      <PhoneSection />
      <RulesSection />
    </div>
  );
}
