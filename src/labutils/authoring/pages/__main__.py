from labutils.authoring.pages.generated import main

main()
