import './fleet.css';
import '../parts/parts.css';
import type { ReactNode } from 'react';
import { AgentsPicture } from './agents-picture.js';
import { CostChart } from './cost-chart.js';
import { Queue } from './queue.js';
import { Workers } from './workers.js';

/** All agents together: how they spent their time, what waits, what it cost, and on which workers. */
export default function FleetPage(): ReactNode {
  return (
    <div className="fleet scroller">
      <h1>Fleet</h1>
      <AgentsPicture />
      <Queue />
      <div className="fleet-charts">
        <CostChart by="day" title="Cost per day" />
        <CostChart by="runtime" title="Cost per runtime" />
        <CostChart by="status" title="Cost per status" />
      </div>
      <Workers />
    </div>
  );
}
