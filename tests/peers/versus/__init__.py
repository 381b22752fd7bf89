"""Our top level against OpenSpiel's bots, which play our games through an adapter."""
