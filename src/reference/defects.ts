import { breakageDefects } from './defects/breakages.ts';
import { calendarDefects } from './defects/calendars.ts';
import { checkinAnswerDefects } from './defects/checkinAnswers.ts';
import { checkinCallbackDefects } from './defects/checkinCallbacks.ts';
import { checkinClockDefects } from './defects/checkinClocks.ts';
import { checkinDeliveryDefects } from './defects/checkinDeliveries.ts';
import { checkinDocumentDefects } from './defects/checkinDocuments.ts';
import { checkinEventDefects } from './defects/checkinEvents.ts';
import { checkinFlightDefects } from './defects/checkinFlights.ts';
import { checkinFormDefects } from './defects/checkinForms.ts';
import { checkinIdentifierDefects } from './defects/checkinIdentifiers.ts';
import { checkinJourneyDefects } from './defects/checkinJourneys.ts';
import { checkinListItemDefects } from './defects/checkinListItems.ts';
import { checkinListDefects } from './defects/checkinLists.ts';
import { checkinOwnerDefects } from './defects/checkinOwners.ts';
import { checkinPartDefects } from './defects/checkinParts.ts';
import { checkinPayloadDefects } from './defects/checkinPayloads.ts';
import { checkinQuotaDefects } from './defects/checkinQuota.ts';
import { checkinReadinessDefects } from './defects/checkinReadiness.ts';
import { checkinRecordDefects } from './defects/checkinRecords.ts';
import { checkinRepeatDefects } from './defects/checkinRepeats.ts';
import { checkinRequestDefects } from './defects/checkinRequests.ts';
import { checkinRetryDefects } from './defects/checkinRetries.ts';
import { checkinUpdateDefects } from './defects/checkinUpdates.ts';
import { errorDefects } from './defects/errors.ts';
import { fileDefects } from './defects/files.ts';
import { flightTextDefects } from './defects/flightTexts.ts';
import { frontDefects } from './defects/fronts.ts';
import { flightCallbackDefects } from './defects/flightCallbacks.ts';
import { flightChangeDefects } from './defects/flightChanges.ts';
import { flightConflictDefects } from './defects/flightConflicts.ts';
import { flightLookupDefects } from './defects/flightLookups.ts';
import { flightNearChangeDefects } from './defects/flightNearChanges.ts';
import { flightNotificationDefects } from './defects/flightNotifications.ts';
import { flightQueryDefects } from './defects/flightQueries.ts';
import { flightRecipientDefects } from './defects/flightRecipients.ts';
import { flightRetryDefects } from './defects/flightRetries.ts';
import { flightSnapshotDefects } from './defects/flightSnapshots.ts';
import { flightSubscribeDefects } from './defects/flightSubscribes.ts';
import { keyDefects } from './defects/keys.ts';
import { keyLifeDefects } from './defects/keyLives.ts';
import { keySearchDefects } from './defects/keySearches.ts';
import { limitDefects } from './defects/limits.ts';
import { limitWindowDefects } from './defects/limitWindows.ts';
import { publicReportDefects } from './defects/publicReports.ts';
import { readingDefects } from './defects/readings.ts';
import { upstreamTextDefects } from './defects/upstreamTexts.ts';
import type { Defect } from './defects/row.ts';

export type { Defect } from './defects/row.ts';

/** The mistakes that the harness must find; ids never change. */
export const defects: readonly Defect[] = [
  ...keyDefects,
  ...keyLifeDefects,
  ...keySearchDefects,
  ...limitDefects,
  ...limitWindowDefects,
  ...errorDefects,
  ...frontDefects,
  ...checkinPayloadDefects,
  ...checkinFlightDefects,
  ...checkinDocumentDefects,
  ...checkinPartDefects,
  ...checkinFormDefects,
  ...checkinClockDefects,
  ...checkinJourneyDefects,
  ...checkinQuotaDefects,
  ...checkinRepeatDefects,
  ...checkinReadinessDefects,
  ...checkinRecordDefects,
  ...checkinListDefects,
  ...checkinListItemDefects,
  ...checkinAnswerDefects,
  ...checkinOwnerDefects,
  ...checkinRequestDefects,
  ...checkinUpdateDefects,
  ...checkinIdentifierDefects,
  ...checkinCallbackDefects,
  ...checkinDeliveryDefects,
  ...checkinEventDefects,
  ...checkinRetryDefects,
  ...flightQueryDefects,
  ...flightLookupDefects,
  ...flightSnapshotDefects,
  ...flightSubscribeDefects,
  ...flightRecipientDefects,
  ...flightConflictDefects,
  ...flightCallbackDefects,
  ...flightNotificationDefects,
  ...flightChangeDefects,
  ...flightRetryDefects,
  ...breakageDefects,
  ...calendarDefects,
  ...fileDefects,
  ...flightTextDefects,
  ...readingDefects,
  ...upstreamTextDefects,
  ...publicReportDefects,
  ...flightNearChangeDefects,
];
