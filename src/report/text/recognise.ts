/** How operators of the target can tell Gatecheck's requests from those of their customers. */
export const howToRecognise =
  'All of it is synthetic: passengers have the last name Gatecheck, alone or as its last word; their addresses are in example domains or begin with gatecheck; external flight ids begin with 00gatecheck-; and callbacks have gatecheck in their address or auth_header. A subscription without a callback has no member for a mark.';
