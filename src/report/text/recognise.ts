/** How operators of the target can separate what Gatecheck sent from what their customers did. */
export const howToRecognise =
  'All of it is synthetic: passengers have the last name Gatecheck, alone or as its last word, their addresses are of example domains or begin with gatecheck, external flight ids begin with 00gatecheck-, and callbacks with gatecheck in their address or auth_header.';
