import { installRegistrar } from '../engine/suite.ts';
import { registerTests } from './registerTests.ts';

installRegistrar(registerTests);
