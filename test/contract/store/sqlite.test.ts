import { describe } from 'vitest';
import { sqlitePlace } from '../../store/sqlite/place.js';
import { storeContract } from './contract.js';

describe('the SQLite store', () => storeContract(sqlitePlace));
