import { expect, it } from 'vitest';
import { sampleRequirement, sampleResult } from '../../test/support/sampleResult.ts';
import { sampleLoad } from '../../test/support/sampleLoad.ts';
import { jenkinsFaults } from '../../test/support/xmlSchema.ts';
import { elementsOf } from '../../test/support/wellFormedXml.ts';
import { renderJUnit } from './renderJUnit.ts';

it('has a suite per section and a case per requirement', () => {
  const xml = renderJUnit(sampleResult());
  const names = elementsOf(xml);
  expect(names.filter((name) => name === 'testcase')).toHaveLength(8);
  expect(xml).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="gatecheck" tests="8" failures="1" errors="1" time="132.000">
      <testsuite name="Web Check-in: GET /extPartner/api/webcheckin/status" tests="3" failures="1" errors="0" skipped="1" time="0.000" timestamp="2026-01-31T10:00:00.000">
        <testcase classname="Web Check-in: GET /extPartner/api/webcheckin/status" name="WCI-STS-001 Status by checkin_id answers 200 for an own record." time="0.000"/>
        <testcase classname="Web Check-in: GET /extPartner/api/webcheckin/status" name="WCI-STS-004 Status of an unknown checkin_id is 404 NOT_FOUND." time="0.000">
          <failure message="An unknown checkin_id was answered with 400" type="status-code">wci.status.unknown (confirmed 2 of 2)
    expected: 404 with error NOT_FOUND
    actual:   400 with error VALIDATION_ERROR
    counterexample: GET /extPartner/api/webcheckin/status?checkin_id=wci_000000000001
    reproduce: gatecheck replay WCI-STS-004.997d5a67
    curl -H &quot;X-API-Key: $GATECHECK_KEYS_PRIMARY&quot; &#39;https://qa.example/extPartner/api/webcheckin/status?checkin_id=wci_000000000001&#39;
    look at: What turns the stored attempt into an answer.
    in the report: report.html#finding-WCI-STS-004.997d5a67</failure>
        </testcase>
        <testcase classname="Web Check-in: GET /extPartner/api/webcheckin/status" name="WCI-SUB-010 reason is present when message is REJECTED." time="0.000">
          <skipped message="not-applicable: applies only if a subscribe is answered 200 with message REJECTED"/>
        </testcase>
      </testsuite>
      <testsuite name="Web Check-in: Authentication" tests="2" failures="0" errors="0" skipped="2" time="0.000" timestamp="2026-01-31T10:00:00.000">
        <testcase classname="Web Check-in: Authentication" name="SHR-AUT-003 A revoked key is answered with 401." time="0.000">
          <skipped message="needs revoked-key: set GATECHECK_KEY_REVOKED"/>
        </testcase>
        <testcase classname="Web Check-in: Authentication" name="SHR-AUT-009 The key is kept private." time="0.000">
          <skipped message="cannot be observed from outside"/>
        </testcase>
      </testsuite>
      <testsuite name="Flight Alerts: GET /extPartner/api/flight-alerts" tests="1" failures="0" errors="0" skipped="0" time="0.000" timestamp="2026-01-31T10:00:00.000">
        <testcase classname="Flight Alerts: GET /extPartner/api/flight-alerts" name="FLA-LKP-010 The snapshot order is by airport codes." time="0.000">
          <system-out>warn
    Legs stand in journey order</system-out>
        </testcase>
      </testsuite>
      <testsuite name="Flight Alerts: Events" tests="1" failures="0" errors="1" skipped="0" time="0.000" timestamp="2026-01-31T10:00:00.000">
        <testcase classname="Flight Alerts: Events" name="FLA-CB-001 A change is delivered to the callbackUrl." time="0.000">
          <error message="inconclusive: the sink was not reachable from the target"/>
        </testcase>
      </testsuite>
      <testsuite name="Web Check-in: Flight (leg)" tests="1" failures="0" errors="0" skipped="0" time="0.000" timestamp="2026-01-31T10:00:00.000">
        <testcase classname="Web Check-in: Flight (leg)" name="WCI-OPN-001 Which airline-code length is enforced" time="0.000">
          <system-out>observed
    two alphanumeric characters</system-out>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `);
});

it('shows a known failure as skipped, so that CI does not count it', () => {
  const known = sampleRequirement({ verdict: 'fail', baselined: true, reason: 'answered with 400' });
  const passing = { ...sampleResult().summary, gate: { state: 'met' as const, because: [] } };
  const xml = renderJUnit(sampleResult({ summary: passing, requirements: [known], findings: [] }));
  expect(xml).toContain('failures="0" errors="0" skipped="1"');
  expect(xml).toContain('<skipped message="known: answered with 400"/>');
});

it('is valid against the schema of Jenkins, also with thresholds of a load', async () => {
  expect(await jenkinsFaults(renderJUnit(sampleResult()))).toEqual([]);
  expect(await jenkinsFaults(renderJUnit(sampleResult({ load: sampleLoad() })))).toEqual([]);
  const strange = renderJUnit(sampleResult()).replace('<testsuites ', '<testsuites skipped="3" ');
  expect((await jenkinsFaults(strange)).join()).toContain("attribute 'skipped' is not allowed");
});

it('gives a case the time that the requests of its checks took', () => {
  const time = { requests: 2, startMs: 0, endMs: 9000, busyMs: 1234 };
  const xml = renderJUnit(sampleResult(), new Map([['wci.status.unknown', time]]));
  expect(xml).toContain('name="WCI-STS-004 Status of an unknown checkin_id is 404 NOT_FOUND." time="1.234"');
  expect(xml).toContain('skipped="1" time="1.234" timestamp=');
});
