"""What the app knows, free of Kivy and of the network: values, account, matches as followed."""
